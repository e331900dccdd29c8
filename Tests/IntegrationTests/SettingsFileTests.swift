import Foundation
import TestSupport
import Testing

/// The configuration file of `glyphwire serve`.
@Suite(.timeLimit(.minutes(1))) struct SettingsFileTests {
    /// Outcome of `glyphwire config check` with a file of this content.
    private func check(
        _ yaml: String,
        _ arguments: [String] = [],
        environment: [String: String] = [:]
    ) async throws -> (exitCode: Int32, output: String, errors: String) {
        let url = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString).yaml")
        try Data(yaml.utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let program = try Program(
            "glyphwire",
            ["config", "check"] + (environment["GLYPHWIRE_CONFIG"] == nil ? ["--config", url.path()] : []) + arguments,
            environment: ["GLYPHWIRE_MODELS": Engine.models].merging(
                environment.mapValues { $0 == "FILE" ? url.path() : $0 }
            ) { $1 }
        )
        let outcome = await program.wait()
        return (outcome.exitCode, outcome.output, outcome.errors)
    }

    @Test func flagsPrecedeVariablesAndVariablesPrecedeTheFile() async throws {
        let yaml = """
            # A server of a harbour
            port: 7500
            workers: 3
            levels: [accurate]
            http: 127.0.0.1:7501
            http-cors: ["https://a.example", "https://b.example"]
            max-connections: 50
            """
        let outcome = try await self.check(yaml, ["--workers", "5"], environment: ["GLYPHWIRE_PORT": "7600"])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("127.0.0.1:7600 (5 workers, accurate, no token), HTTP on 127.0.0.1:7501"))
        #expect(outcome.output.contains("yaml: http, http-cors, levels, max-connections, port, workers"))
    }

    @Test func aVariableNamesTheFile() async throws {
        let outcome = try await self.check("port: 7502", environment: ["GLYPHWIRE_CONFIG": "FILE"])
        #expect(outcome.output.contains("127.0.0.1:7502 "), "\(outcome.errors)")
    }

    @Test func switchesAreTrueOrFalse() async throws {
        let outcome = try await self.check("host: 0.0.0.0\ninsecure: true")
        #expect(outcome.exitCode == 0 && outcome.output.contains("0.0.0.0:7411"), "\(outcome.errors)")
        let refused = try await self.check("host: 0.0.0.0\ninsecure: 'yes'")
        #expect(refused.exitCode != 0 && refused.errors.contains("true or false"), "\(refused.errors)")
    }

    @Test func aFileOfCommentsSetsNothing() async throws {
        let outcome = try await self.check("# port: 1\n")
        #expect(outcome.exitCode == 0 && outcome.output.contains("127.0.0.1:7411"), "\(outcome.errors)")
    }

    @Test(arguments: [
        ("portt: 1", "There is no setting \"portt\" in"), ("host: a\n\nport_: 1", ", line 3; did you mean port?"),
        ("- port", "must have lines such as"), ("port: 1\nport: 2", "it has port twice"),
        ("port: [", "is no YAML: "), ("port: {a: 1}", ", line 1 must have one value"), ("port:", "must have one value"),
        ("port: 70000", "or port in "), ("idle-time: soon", "or idle-time in "),
        ("config: a.yaml", "no setting \"config\""), ("host: nowhere.invalid", "host in "),
        ("http: 127.0.0.1:7411", "is where frames arrive"),
        ("port: 7500\nhost: '::1'\nhttp: '[::]:7500'\ninsecure: true", "is where frames arrive"),
        ("log-level: loud", "or log-level in "), ("token-file: /nowhere/token", "/nowhere/token"),
        ("port: 1\n---\nport: 2", "is no YAML: "),
    ])
    func aMistakeIsNamedWithItsPlace(yaml: String, hint: String) async throws {
        let outcome = try await self.check(yaml)
        #expect(outcome.exitCode != 0 && outcome.output == "")
        #expect(outcome.errors.contains(hint), "\(outcome.errors)")
    }

    @Test func aFileThatIsNotThereEndsTheServer() async throws {
        let program = try Program("glyphwire", ["serve", "--config", "/nowhere/glyphwire.yaml"])
        let outcome = await program.wait()
        #expect(outcome.exitCode != 0 && outcome.errors.contains("/nowhere/glyphwire.yaml cannot be read"))
    }
}
