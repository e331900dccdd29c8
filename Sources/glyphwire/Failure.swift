/// Why a command cannot do its work, in a line for the person who gave it.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
