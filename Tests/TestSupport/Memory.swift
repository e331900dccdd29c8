internal import Glibc

/// Resident memory of this process.
package func residentByteCount() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, CInt(line.count), file) != nil else { return 0 }
    let fields = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
        separator: " "
    )
    return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * Int(sysconf(CInt(_SC_PAGESIZE)))
}
