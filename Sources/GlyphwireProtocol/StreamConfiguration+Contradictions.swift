internal import TextModel

extension StreamConfiguration {
    /// Rejects options of which one would be without effect beside another.
    func checkContradictions() throws(WireError) {
        guard self.report == .all || self.isTemporal else {
            throw WireError(
                .badOption,
                "\"report\" is \"changes\", which needs text to be tracked; send it without \"temporal\":false"
            )
        }
        guard self.regions.isEmpty || self.reading.regionOfInterest == .full else {
            throw WireError(
                .badOption,
                "\"regions\" and a \"regionOfInterest\" are given; send one of them, or the latter with a region"
            )
        }
        guard !self.reading.recognize else { return }
        guard !self.searches else {
            throw WireError(
                .badOption,
                "\"find\" is given, which needs text to be read; send it without \"recognize\":false"
            )
        }
        guard self.report == .all else {
            throw WireError(
                .badOption,
                "\"report\" is \"changes\", which needs text to be read; send it without \"recognize\":false"
            )
        }
    }
}
