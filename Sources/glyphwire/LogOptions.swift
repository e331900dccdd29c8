internal import ArgumentParser
internal import GlyphwireServer
internal import Logging

/// Options of the log on standard error.
struct LogOptions: ParsableArguments {
    @Option(help: "Level of the log on standard error. (default: info)")
    var logLevel: Logger.Level?

    @Option(help: "Format of the log: text, or json with one object on each line. (default: text)")
    var logFormat: LogFormat?

    /// Opens the log, whose output is to be closed when the program ends.
    func open() throws -> (output: LogOutput, logger: Logger) {
        let (level, format) = try self.settings()
        let output = try LogOutput(format: format)
        return (output, output.logger(level: level))
    }

    /// Level and format, of the options or the environment.
    func settings() throws -> (level: Logger.Level, format: LogFormat) {
        let level = try Setting.value(self.logLevel, environment: .logLevel) ?? .info
        return (level, try Setting.value(self.logFormat, environment: .logFormat) ?? .text)
    }
}
