internal import FuzzTargets
internal import Glibc

/// Main function of libFuzzer.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ run: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Fuzz target, from GLYPHWIRE_FUZZ_TARGET.
///
/// An argument would not work, since libFuzzer restarts itself with its own.
private let target = getenv("GLYPHWIRE_FUZZ_TARGET").flatMap { FuzzTarget(rawValue: String(cString: $0)) }

/// Main function for SwiftPM, under another name since libFuzzer would bring its own.
@_cdecl("glyphwire_fuzz_main")
public func glyphwireFuzzMain(
    _ count: CInt,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> CInt {
    guard target != nil else {
        let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
        print("glyphwire-fuzz: set GLYPHWIRE_FUZZ_TARGET to one of \(names)")
        return 64
    }
    var (count, arguments) = (count, arguments)
    return runFuzzer(&count, &arguments) { bytes, byteCount in
        do throws(FuzzFinding) {
            try target?.run(Array(UnsafeBufferPointer(start: bytes, count: byteCount)))
        } catch {
            fatalError(error.description)
        }
        return 0
    }
}
