internal import TextModel

/// Frame whose lines are read, with the reading options.
struct LineContext: Sendable {
    let frame: UprightFrame
    let options: ReadingOptions
}
