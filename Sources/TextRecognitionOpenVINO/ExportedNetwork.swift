internal import Foundation

/// Compiled network as exported by the runtime, which can be imported for other input shapes.
///
/// Compilation mostly transforms the graph into its executable form, and importing that form takes a quarter to a third
/// of the time. The file declares the input's shape in one place; all other shapes follow from it, except constants
/// that were folded from a known shape. Detectors, which consist of convolutions, have no such constants, and neither
/// have recognizers compiled for every width.
///
/// The file ends with the graph, as text in OpenVINO's intermediate representation, masked with a repeating key of
/// twelve bytes (`codec_xor` of the runtime's CPU plugin). Files of another form are rejected.
// Safe because only the declaration changes, and one thread at a time touches it, as `file(for:)` requires.
@safe
final class ExportedNetwork: @unchecked Sendable {
    private let file: UnsafeMutableRawBufferPointer
    /// Offset of the graph's text.
    private let start: Int
    /// Range of the text that declares the input's shape.
    ///
    /// It includes the white space before it as room for longer shapes: four bytes, enough for sides of four digits in
    /// place of two.
    private let declaration: Range<Int>

    private static let mask: [UInt8] = [0x30, 0x60, 0x70, 0x02, 0x04, 0x08, 0x3F, 0x6F, 0x72, 0x74, 0x78, 0x7F]
    /// Number of bytes at the start of the text in which the input is declared.
    private static let headLength = 1024

    /// Copies an exported network; `nil` if its input shape cannot be changed.
    init?(_ written: Data) {
        let beginning = Data(Self.masked(Array("<?xml version=".utf8), at: 0))
        guard let start = written.range(of: beginning, options: .backwards)?.lowerBound else { return nil }
        let head = Self.masked(Array(written[start...].prefix(Self.headLength)), at: 0)
        guard let found = Self.declaration(in: head) else { return nil }
        let white = head[..<found.lowerBound].reversed().prefix { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\t") }
        self.start = start - written.startIndex
        self.declaration = self.start + found.lowerBound - white.count..<self.start + found.upperBound
        unsafe self.file = .allocate(byteCount: written.count, alignment: MemoryLayout<Int>.alignment)
        unsafe self.file.copyBytes(from: written)
    }

    deinit { unsafe self.file.deallocate() }

    /// Returns the file of a network for `input`, valid until the next call.
    ///
    /// - Parameter input: The input of the network.
    /// - Returns: The file, whose weights an imported network uses in place, so this object must outlive it. `nil` if
    ///   there is no room for the declaration.
    func file(for input: NetworkInput) -> UnsafeRawBufferPointer? {
        let declaration = Self.declaration(of: input)
        // The lengths stated in the file remain valid.
        let spaces = self.declaration.count - declaration.count
        guard spaces >= 0 else { return nil }
        let text = Array(repeating: UInt8(ascii: " "), count: spaces) + declaration
        let masked = Self.masked(text, at: self.declaration.lowerBound - self.start)
        unsafe UnsafeMutableRawBufferPointer(rebasing: self.file[self.declaration]).copyBytes(from: masked)
        return unsafe UnsafeRawBufferPointer(self.file)
    }

    private static let opening = Array("<data shape=\"".utf8)
    private static let closing = Array(",3\"".utf8)

    private static func declaration(of input: NetworkInput) -> [UInt8] {
        let lengths = [input.batchSize, input.height, input.width].map { $0 == NetworkInput.dynamic ? "?" : "\($0)" }
        return Self.opening + Array(lengths.joined(separator: ",").utf8) + Self.closing
    }

    /// Range of the declaration of a three-channel input shape in a text.
    private static func declaration(in text: [UInt8]) -> Range<Int>? {
        guard let start = text.firstRange(of: Self.opening),
            let end = text[start.upperBound...].firstRange(of: Self.closing)
        else { return nil }
        let lengths = text[start.upperBound..<end.lowerBound].split(separator: UInt8(ascii: ","))
        let isShape = lengths.count == 3 && lengths.allSatisfy { $0.allSatisfy(Self.isLength) }
        return isShape ? start.lowerBound..<end.upperBound : nil
    }

    private static func isLength(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "?")
    }

    /// Applies the mask to a part of the text, or removes it.
    private static func masked(_ text: [UInt8], at offset: Int) -> [UInt8] {
        text.enumerated().map { index, byte in byte ^ self.mask[(offset + index) % self.mask.count] }
    }
}
