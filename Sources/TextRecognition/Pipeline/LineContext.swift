internal import TextModel

/// The frame whose lines are read, and the options by which they are.
struct LineContext: Sendable {
    let frame: UprightFrame
    let options: ReadingOptions
}
