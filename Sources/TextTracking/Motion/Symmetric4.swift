/// A symmetric matrix of four rows, filled by outer products.
struct Symmetric4 {
    private var rows: InlineArray<4, SIMD4<Float>> = [.zero, .zero, .zero, .zero]

    mutating func add(_ vector: SIMD4<Float>) {
        self.rows[0] += vector * vector.x
        self.rows[1] += vector * vector.y
        self.rows[2] += vector * vector.z
        self.rows[3] += vector * vector.w
    }

    /// The vector that the matrix takes to `sum`, its last two numbers 0 where only a shift is wanted.
    func solve(_ sum: SIMD4<Float>, isShiftOnly: Bool) -> SIMD4<Float>? {
        var rows = self.rows
        var sum = sum
        let size = isShiftOnly ? 2 : 4
        for index in 0..<size { rows[index][index] *= 1.0001 }
        for pivot in 0..<size {
            guard rows[pivot][pivot] > 1e-3 else { return nil }
            for other in pivot + 1..<size {
                let factor = rows[other][pivot] / rows[pivot][pivot]
                rows[other] -= rows[pivot] * factor
                sum[other] -= sum[pivot] * factor
            }
        }
        var result = SIMD4<Float>.zero
        for pivot in (0..<size).reversed() {
            var value = sum[pivot]
            for other in pivot + 1..<size { value -= rows[pivot][other] * result[other] }
            result[pivot] = value / rows[pivot][pivot]
        }
        return result
    }
}
