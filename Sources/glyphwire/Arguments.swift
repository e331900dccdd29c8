public import ArgumentParser
package import GlyphwireHTTP
internal import GlyphwireProtocol
package import GlyphwireServer
public import TextModel
public import Logging
package import TextFormats

extension RecognitionLevel: ExpressibleByArgument {}
extension Upright: ExpressibleByArgument {}
extension UnreadableLines: ExpressibleByArgument {}
extension CoordinateSpace: ExpressibleByArgument {}
extension DamagedFrames: ExpressibleByArgument {}
extension TextFormat: ExpressibleByArgument {}

extension AllowedOrigins: ExpressibleByArgument {
    /// Parses a list of origins separated by commas.
    package init?(argument: String) { self.init(argument) }
}

extension AllowedCharacters: ExpressibleByArgument {
    /// Parses an allow list.
    public init?(argument: String) { self.init(argument) }
}

extension [AllowedOrigins] {
    /// Union of all; `nil` if there are none.
    var union: AllowedOrigins? { self.isEmpty ? nil : self.reduce(.none) { $0.union($1) } }
}

extension LogFormat: ExpressibleByArgument {}
extension Logger.Level: @retroactive ExpressibleByArgument {}

/// List of levels, separated by commas.
struct LevelList: ExpressibleByArgument {
    /// Completions for shells; in the help, commas inside such values would be confusing.
    static let defaultCompletionKind = CompletionKind.list(["fast,accurate", "fast", "accurate"])

    /// Distinct levels, at least one.
    let levels: [RecognitionLevel]

    init?(argument: String) {
        let levels = argument.split(separator: ",").map { RecognitionLevel(rawValue: String($0)) }
        guard !levels.isEmpty, !levels.contains(nil) else { return nil }
        self.levels = RecognitionLevel.allCases.filter { levels.contains($0) }
    }
}
