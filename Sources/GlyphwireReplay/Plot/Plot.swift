/// SVG diagram for an HTML page, in the page's colours.
struct Plot {
    /// Line through values along the x axis.
    struct Line {
        var name: String
        /// Index of the page's colour, from 1.
        var colour: Int
        var isDashed = false
        /// Whether the line is broad and pale, so that a line over it stays visible.
        var isBroad = false
        /// Points in order; one without a value breaks the line.
        var points: [(x: Double, y: Double?)]

        /// Classes of the page's style.
        fileprivate var classes: String {
            "l\(self.colour)\(self.isDashed ? " dashed" : "")\(self.isBroad ? " broad" : "")"
        }
    }

    /// Stacked bars.
    struct Bars {
        /// Bar with a range on the x axis and its parts in the order of the names.
        struct Bar {
            var from: Double
            var to: Double
            var parts: [Double]
        }

        var names: [String]
        /// Index of the page's colour for each part.
        var colours: [Int]
        var bars: [Bar]
    }

    private static let size = (width: 720.0, height: 300.0)
    private static let margin = (left: 80.0, right: 32.0, top: 12.0, bottom: 54.0)
    /// Maximum number of points with markers; more would be neither visible nor selectable.
    private static let maxMarkedPoints = 200

    var title: String
    /// Caption with what the diagram shows and how to read it.
    var caption: String
    var x: PlotScale
    var y: PlotScale
    var xName: String
    var yName: String
    var bars: Bars?
    var lines: [Line] = []
    /// Shaded part of the x axis, which does not count.
    var shaded: ClosedRange<Double>?

    /// Diagram with title, caption and legend, as HTML.
    var html: String {
        """
        <figure>
        <figcaption><h3>\(HTML.text(self.title))</h3><p>\(HTML.text(self.caption))</p></figcaption>
        <svg viewBox="0 0 \(Int(Self.size.width)) \(Int(Self.size.height))" role="img" aria-label="\(HTML.text(self.title))">
        \(self.grid)
        \(self.bars.map(self.drawn) ?? "")
        \(self.lines.map(self.drawn).joined(separator: "\n"))
        </svg>
        \(self.legend)
        </figure>
        """
    }

    private var legend: String {
        let bars = self.bars.map { Array(zip($0.names, $0.colours)) } ?? []
        let items =
            bars.map { "<li><i class=\"b\($0.1)\"></i>\(HTML.text($0.0))</li>" }
            + self.lines.map { line in
                "<li><i class=\"\(line.classes)\"></i>\(HTML.text(line.name))</li>"
            }
        return items.isEmpty ? "" : "<ul class=\"legend\">\(items.joined())</ul>"
    }

    private func place(_ x: Double) -> Double {
        let width = Self.size.width - Self.margin.left - Self.margin.right
        return Self.margin.left + self.x.position(x) * width
    }

    private func height(_ y: Double) -> Double {
        let height = Self.size.height - Self.margin.top - Self.margin.bottom
        return Self.size.height - Self.margin.bottom - self.y.position(y) * height
    }

    private static func number(_ value: Double) -> String { Decimals.text(value, places: 1) }

    // MARK: Axes

    private var grid: String {
        let (left, right) = (Self.margin.left, Self.size.width - Self.margin.right)
        let bottom = Self.size.height - Self.margin.bottom
        var parts: [String] = []
        if let shaded = self.shaded {
            let (from, to) = (self.place(shaded.lowerBound), self.place(shaded.upperBound))
            parts.append(
                "<rect class=\"shaded\" x=\"\(Self.number(from))\" y=\"\(Self.number(Self.margin.top))\" "
                    + "width=\"\(Self.number(to - from))\" height=\"\(Self.number(bottom - Self.margin.top))\"/>"
            )
        }
        for tick in self.y.ticks {
            let y = Self.number(self.height(tick.value))
            parts.append("<line class=\"grid\" x1=\"\(left)\" x2=\"\(right)\" y1=\"\(y)\" y2=\"\(y)\"/>")
            parts.append("<text class=\"y\" x=\"\(left - 8)\" y=\"\(y)\">\(tick.label)</text>")
        }
        for tick in self.x.ticks {
            let x = Self.number(self.place(tick.value))
            parts.append("<line class=\"tick\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(bottom)\" y2=\"\(bottom + 5)\"/>")
            parts.append("<text class=\"x\" x=\"\(x)\" y=\"\(bottom + 21)\">\(tick.label)</text>")
        }
        parts.append("<line class=\"axis\" x1=\"\(left)\" x2=\"\(right)\" y1=\"\(bottom)\" y2=\"\(bottom)\"/>")
        let (middleX, middleY) = (Self.number((left + right) / 2), Self.number((Self.margin.top + bottom) / 2))
        let name = HTML.text(self.xName)
        parts.append("<text class=\"x name\" x=\"\(middleX)\" y=\"\(Self.size.height - 8)\">\(name)</text>")
        parts.append(
            "<text class=\"x name\" transform=\"translate(16 \(middleY)) rotate(-90)\">\(HTML.text(self.yName))</text>"
        )
        return parts.joined(separator: "\n")
    }

    // MARK: Content

    private func drawn(_ bars: Bars) -> String {
        bars.bars.map { bar in
            var base = 0.0
            let (from, to) = (self.place(bar.from), self.place(bar.to))
            // A pixel of space between bars that are wide enough.
            let width = max(to - from - (to - from > 4 ? 1 : 0), 0.5)
            return zip(bars.names.indices, bar.parts).filter { $0.1 > 0 }.map { index, part in
                let (bottom, top) = (self.height(base), self.height(base + part))
                base += part
                return "<rect class=\"b\(bars.colours[index])\" x=\"\(Self.number(from))\" y=\"\(Self.number(top))\" "
                    + "width=\"\(Self.number(width))\" height=\"\(Self.number(max(bottom - top, 0.5)))\">"
                    + "<title>\(HTML.text(bars.names[index])): \(Decimals.short(part))</title></rect>"
            }.joined()
        }.joined(separator: "\n")
    }

    private func drawn(_ line: Line) -> String {
        var path = ""
        var isOpen = false
        for point in line.points {
            guard let y = point.y else {
                isOpen = false
                continue
            }
            path += "\(isOpen ? "L" : "M")\(Self.number(self.place(point.x))) \(Self.number(self.height(y)))"
            // A point between two gaps is drawn as a dot.
            if !isOpen { path += "h0" }
            isOpen = true
        }
        let drawn = "<path class=\"\(line.classes)\" d=\"\(path)\"/>"
        let known = line.points.compactMap { point in point.y.map { (point.x, $0) } }
        guard known.count <= Self.maxMarkedPoints else { return drawn }
        let spots = known.map { x, y in
            "<circle class=\"p\(line.colour)\" cx=\"\(Self.number(self.place(x)))\" cy=\"\(Self.number(self.height(y)))\" "
                + "r=\"\(known.count == 1 ? 3 : 6)\"\(known.count == 1 ? "" : " opacity=\"0\"")>"
                + "<title>\(HTML.text(line.name)): \(Decimals.short(y))</title></circle>"
        }
        return drawn + spots.joined()
    }
}
