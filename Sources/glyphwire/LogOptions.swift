internal import ArgumentParser
internal import GlyphwireServer
internal import Logging

/// Options of the log on standard error.
struct LogOptions: ParsableArguments {
    @Option(help: "Level of the log on standard error. (default: info)")
    var logLevel: Logger.Level?

    @Option(help: "Format of the log: text, or json with one object on each line. (default: text)")
    var logFormat: LogFormat?

    /// Logger with these options.
    func logger() throws -> Logger {
        let format = try Setting.value(self.logFormat, environment: .logFormat) ?? .text
        let output = LogOutput()
        var logger = Logger(label: "glyphwire") { label in
            switch format {
            case .text: StreamLogHandler(label: label, stream: output)
            case .json: JSONLogHandler { output.write($0) }
            }
        }
        logger.logLevel = try Setting.value(self.logLevel, environment: .logLevel) ?? .info
        return logger
    }
}
