import Foundation
import TestSupport
import Testing

/// A server whose clients have disconnected silently.
@Suite(.timeLimit(.minutes(3))) struct CutOffTests {
    /// Whether this user may create a network namespace.
    private static let canMakeNetworks: Bool = {
        guard let unshare = Program.system("unshare"), Program.system("ip") != nil, Program.system("python3") != nil
        else { return false }
        let process = Process()
        process.executableURL = URL(filePath: unshare)
        process.arguments = ["--net", "--map-root-user", "ip", "link", "set", "lo", "up"]
        (process.standardOutput, process.standardError) = (nil, nil)
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    @Test(.enabled(if: canMakeNetworks, "a network cannot be made here: unshare, ip and python3 are needed"))
    func clientsThatAreCutOffAreFoundWhetherALineIsOnItsWayOrNot() async throws {
        let script = Engine.root.appending(path: "Tests/IntegrationTests/Fixtures/cut_off.py").path()
        let program = try Program.path(of: "glyphwire")
        let outcome = await
            (try Program(
                try #require(Program.system("unshare")),
                ["--net", "--map-root-user", "python3", script, program, Engine.models]
            )).wait()
        #expect(outcome.output == "2\n", "\(outcome.errors)")
    }
}
