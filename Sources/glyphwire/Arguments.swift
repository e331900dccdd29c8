public import ArgumentParser
public import GlyphwireHTTP
internal import GlyphwireProtocol
public import TextModel
public import Logging
package import TextFormats

extension RecognitionLevel: ExpressibleByArgument {}
extension Upright: ExpressibleByArgument {}
extension CoordinateSpace: ExpressibleByArgument {}
extension DamagedFrames: ExpressibleByArgument {}
extension TextFormat: ExpressibleByArgument {}

extension AllowedOrigins: ExpressibleByArgument {
    /// Those of a list with commas in between.
    public init?(argument: String) { self.init(argument) }
}

extension [AllowedOrigins] {
    /// Those of all; `nil` if there is none.
    var union: AllowedOrigins? { self.isEmpty ? nil : self.reduce(.none) { $0.union($1) } }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}

/// Some of the levels, with commas in between.
struct LevelList: ExpressibleByArgument {
    /// For shells to complete; not for the help, where commas between values that have some confuse.
    static let defaultCompletionKind = CompletionKind.list(["fast,accurate", "fast", "accurate"])

    /// At least one, each once.
    let levels: [RecognitionLevel]

    init?(argument: String) {
        let levels = argument.split(separator: ",").map { RecognitionLevel(rawValue: String($0)) }
        guard !levels.isEmpty, !levels.contains(nil) else { return nil }
        self.levels = RecognitionLevel.allCases.filter { levels.contains($0) }
    }
}
