internal import TextModel

extension TextLine {
    /// Whether the line begins at the right.
    var runsLeft: Bool { self.reason == nil && self.script.flatMap(Script.init(rawValue:))?.runsLeft == true }

    /// The line with the corners of its boxes from the upper left on, as documents have them whichever way the text runs.
    var withCornersFromLeft: TextLine {
        guard self.runsLeft else { return self }
        var line = self
        line.box = self.box.mirrored
        for word in line.words.indices {
            line.words[word].box = line.words[word].box.mirrored
            for character in line.words[word].characters.indices {
                line.words[word].characters[character].box = line.words[word].characters[character].box.mirrored
            }
        }
        return line
    }
}
