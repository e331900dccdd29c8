internal import ImageCodecs

/// Grayscale plane of a frame as it was sent, in memory that the next frame reuses.
struct GrayPlane: ~Copyable {
    /// Weights of red, green and blue in brightness (ITU-R BT.601), in 1/256.
    private static let luma: (red: UInt16, green: UInt16, blue: UInt16) = (77, 150, 29)
    /// Bytes of a pixel in BGRA.
    private static let bgraBytes = 4

    private(set) var width = 0
    private(set) var height = 0
    private var memory: UnsafeMutableBufferPointer<UInt8>

    init() { self.memory = UnsafeMutableBufferPointer(start: nil, count: 0) }

    deinit { self.memory.deallocate() }

    /// Memory that the plane holds in bytes, whatever its size is now.
    var byteCount: Int { self.memory.count }

    /// Address of the first pixel.
    ///
    /// Rows follow one another without padding. Only to be used once the plane has a size.
    var base: UnsafeMutablePointer<UInt8> {
        guard let base = self.memory.baseAddress else { preconditionFailure("a plane used before it was filled") }
        return base
    }

    /// Sets the plane's size; its values are then undefined.
    mutating func resize(width: Int, height: Int) {
        if width * height > self.memory.count {
            self.memory.deallocate()
            self.memory = .allocate(capacity: width * height)
        }
        self.width = width
        self.height = height
    }

    /// Loads the brightness of a picture.
    mutating func load(_ view: PixelView) {
        self.resize(width: view.width, height: view.height)
        for y in 0..<view.height {
            let target = self.base + y * view.width
            let source = (view.base + y * view.bytesPerRow).assumingMemoryBound(to: UInt8.self)
            switch view.format {
            case .gray:
                target.update(from: source, count: view.width)
            case .bgra:
                let weights = Self.luma
                for x in 0..<view.width {
                    let pixel = Self.bgraBytes &* x
                    let blue = UInt16(source[pixel]) &* weights.blue
                    let green = UInt16(source[pixel &+ 1]) &* weights.green
                    let red = UInt16(source[pixel &+ 2]) &* weights.red
                    target[x] = UInt8(truncatingIfNeeded: (blue &+ green &+ red) >> UInt8.bitWidth)
                }
            }
        }
    }

    /// Loads `plane` at half its width and height, each pixel the mean of four.
    mutating func halve(_ plane: borrowing GrayPlane) {
        self.resize(width: max(1, plane.width / 2), height: max(1, plane.height / 2))
        // A side of a single pixel has no second row or column to take the mean with.
        let right = plane.width > 1 ? 1 : 0
        let below = plane.height > 1 ? plane.width : 0
        for y in 0..<self.height {
            let upper = plane.base + 2 * y * plane.width
            let lower = upper + below
            let target = self.base + y * self.width
            for x in 0..<self.width {
                let top = UInt16(upper[2 &* x]) &+ UInt16(upper[2 &* x &+ right])
                let bottom = UInt16(lower[2 &* x]) &+ UInt16(lower[2 &* x &+ right])
                target[x] = UInt8(truncatingIfNeeded: (top &+ bottom &+ 2) >> 2)
            }
        }
    }

    /// Value between pixels by bilinear interpolation, at a place inside the plane by one pixel.
    @inline(__always)
    func value(_ x: Float, _ y: Float) -> Float { self.value(x, y, left: Int(x), top: Int(y)) }

    /// Value at a place by bilinear interpolation of a pixel and those to the right of it and below.
    @inline(__always)
    private func value(_ x: Float, _ y: Float, left: Int, top: Int) -> Float {
        let (fx, fy) = (x - Float(left), y - Float(top))
        let offset: Int = top &* self.width &+ left
        let first = self.base + offset
        let second = first + self.width
        let (a, b, c, d) = (Float(first[0]), Float(first[1]), Float(second[0]), Float(second[1]))
        let upper = a + (b - a) * fx
        let lower = c + (d - c) * fx
        return upper + (lower - upper) * fy
    }

    /// Value at any place; beyond an edge that of the edge.
    func clampedValue(_ x: Float, _ y: Float) -> Float {
        guard self.width > 1, self.height > 1 else { return Float(self.base[0]) }
        let (x, y) = (max(0, min(Float(self.width - 1), x)), max(0, min(Float(self.height - 1), y)))
        return self.value(x, y, left: min(Int(x), self.width - 2), top: min(Int(y), self.height - 2))
    }

    /// Copies the changed cells of `plane`, as bright as before `brightness` changed.
    mutating func update(where changes: ChangeMap, from plane: borrowing GrayPlane, brightness: Brightness) {
        for row in 0..<changes.rows {
            for column in 0..<changes.columns where changes.isChanged[row * changes.columns + column] {
                let (x, y) = (column * ChangeMap.cell, row * ChangeMap.cell)
                let count = min(ChangeMap.cell, self.width - x)
                for y in y..<min(y + ChangeMap.cell, self.height) {
                    let (source, target) = (plane.base + y * self.width + x, self.base + y * self.width + x)
                    if brightness == .same {
                        target.update(from: source, count: count)
                    } else {
                        for x in 0..<count { target[x] = brightness.before(source[x]) }
                    }
                }
            }
        }
    }

    /// Copies `plane`.
    mutating func copy(_ plane: borrowing GrayPlane) {
        self.resize(width: plane.width, height: plane.height)
        self.base.update(from: plane.base, count: plane.width * plane.height)
    }
}
