/// Symmetric matrix of four rows: the normal equations of a least-squares problem, filled by outer products.
struct Symmetric4 {
    private enum Tuning {
        /// Factor of the diagonal that keeps the equations well conditioned (Levenberg, 1944); chosen by eye.
        static let damping: Float = 1.0001
        /// Least pivot of a matrix that can be inverted; chosen by eye.
        static let minPivot: Float = 1e-3
    }

    private var rows: InlineArray<4, SIMD4<Float>> = [.zero, .zero, .zero, .zero]

    /// Adds the outer product of a vector with itself.
    mutating func add(_ vector: SIMD4<Float>) {
        self.rows[0] += vector * vector.x
        self.rows[1] += vector * vector.y
        self.rows[2] += vector * vector.z
        self.rows[3] += vector * vector.w
    }

    /// Solution of the equations by Gaussian elimination; `nil` for a singular matrix.
    ///
    /// - Parameters:
    ///   - sum: The right-hand side.
    ///   - isShiftOnly: Whether only the first two unknowns are wanted; the others are then 0.
    /// - Returns: The four unknowns.
    func solve(_ sum: SIMD4<Float>, isShiftOnly: Bool) -> SIMD4<Float>? {
        var rows = self.rows
        var sum = sum
        let size = isShiftOnly ? 2 : rows.count
        for index in 0..<size { rows[index][index] *= Tuning.damping }
        for pivot in 0..<size {
            guard rows[pivot][pivot] > Tuning.minPivot else { return nil }
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
