/// A rectangle of whole pixels, sent or upright.
package struct PixelRect: Hashable, Sendable {
    /// The left column.
    package var x: Int
    /// The top row.
    package var y: Int
    /// The number of columns.
    package var width: Int
    /// The number of rows.
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}
