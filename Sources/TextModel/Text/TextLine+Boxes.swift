extension TextLine {
    /// The line with every corner of its boxes mapped by `transform`.
    package func mapBoxes(_ transform: (Point) -> Point) -> TextLine {
        var line = self
        line.box = self.box.mapCorners(transform)
        for word in line.words.indices {
            line.words[word].box = line.words[word].box.mapCorners(transform)
            for character in line.words[word].characters.indices {
                line.words[word].characters[character].box =
                    line.words[word].characters[character].box.mapCorners(transform)
            }
        }
        return line
    }
}
