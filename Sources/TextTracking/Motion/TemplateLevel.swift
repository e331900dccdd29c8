/// Template of a line at one size: its pixels, and what every match needs to know of them.
struct TemplateLevel {
    /// What is known of the pixels once they are normalised.
    struct Model {
        /// Moments before.
        let moments: LinePixels.Moments
        /// Hessian, which inverse compositional alignment needs once for a template, and not once for a frame.
        let hessian: Symmetric4
        /// Sharpness; see ``LinePixels/sharpness``.
        let sharpness: Float
    }

    let width: Int
    let height: Int
    /// Row by row, rectified.
    let values: [UInt8]
    /// `nil` where the pixels have no contrast, so that nothing matches them.
    let model: Model?

    /// Template of pixels, row by row.
    init(_ values: [UInt8], width: Int, height: Int) {
        (self.values, self.width, self.height) = (values, width, height)
        var pixels = LinePixels()
        pixels.load(values, width: width, height: height)
        guard let moments = pixels.moments else {
            self.model = nil
            return
        }
        pixels.normalize(by: moments)
        self.model = Model(moments: moments, hessian: pixels.hessian, sharpness: pixels.sharpness)
    }

    /// Template at half the size, each pixel the mean of four.
    var halved: TemplateLevel {
        let (halfWidth, halfHeight) = (self.width / 2, self.height / 2)
        var halved = [UInt8](repeating: 0, count: halfWidth * halfHeight)
        for y in 0..<halfHeight {
            for x in 0..<halfWidth {
                let upper = 2 * y * self.width + 2 * x
                let lower = upper + self.width
                let top = Int(self.values[upper]) + Int(self.values[upper + 1])
                let bottom = Int(self.values[lower]) + Int(self.values[lower + 1])
                halved[y * halfWidth + x] = UInt8((top + bottom + 2) / 4)
            }
        }
        return TemplateLevel(halved, width: halfWidth, height: halfHeight)
    }
}
