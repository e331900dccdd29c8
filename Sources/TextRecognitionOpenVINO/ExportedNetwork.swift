internal import Foundation

/// A compiled network as the runtime writes it out, from which it reads networks for other shapes of input.
///
/// Most of what compiling takes is changing the graph into the one that is run, and reading that one back takes a quarter to
/// a third of the time. It says of the input's shape where it declares it; all other shapes follow, but for numbers that were put in where
/// a shape was known. Detectors, which consist of convolutions, have none of them, and recognisers none when they are compiled
/// for every width.
///
/// The file ends in the graph, in the text of OpenVINO's intermediate representation, under a mask of twelve bytes that
/// repeat (`codec_xor` of the runtime's CPU plugin). What looks otherwise is not taken.
// Safe because all but the declaration stays as it is, and that is touched by one thread at a time, as `file(for:)` says.
@safe
final class ExportedNetwork: @unchecked Sendable {
    private let file: UnsafeMutableRawBufferPointer
    /// Where the graph's text begins.
    private let start: Int
    /// Where the text declares the input's shape, with the white space before it, which makes room for longer ones: four bytes,
    /// enough for sides of four digits where those of the first have two.
    private let declaration: Range<Int>

    private static let mask: [UInt8] = [0x30, 0x60, 0x70, 0x02, 0x04, 0x08, 0x3F, 0x6F, 0x72, 0x74, 0x78, 0x7F]
    /// In how many bytes of the text the input is declared, which comes first in it.
    private static let headLength = 1024

    /// Takes what the runtime wrote of a network for `input`; `nil` where its shape cannot be changed.
    init?(_ written: Data, for input: NetworkInput) {
        let beginning = Data(Self.masked(Array("<?xml version=".utf8), at: 0))
        guard let start = written.range(of: beginning, options: .backwards)?.lowerBound else { return nil }
        let head = Self.masked(Array(written[start...].prefix(Self.headLength)), at: 0)
        guard let found = head.firstRange(of: Self.declaration(of: input)) else { return nil }
        let white = head[..<found.lowerBound].reversed().prefix { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\t") }
        self.start = start - written.startIndex
        self.declaration = self.start + found.lowerBound - white.count..<self.start + found.upperBound
        unsafe self.file = .allocate(byteCount: written.count, alignment: MemoryLayout<Int>.alignment)
        unsafe self.file.copyBytes(from: written)
    }

    deinit { unsafe self.file.deallocate() }

    /// The file of a network for `input`, to be read before this is called again.
    ///
    /// - Parameter input: What the network is for.
    /// - Returns: The file; a network that is read from it keeps its weights here, and needs this to stay. `nil` where there
    ///   is no place for what is to be declared.
    func file(for input: NetworkInput) -> UnsafeRawBufferPointer? {
        let declaration = Self.declaration(of: input)
        // What the file says of its parts' lengths stays true.
        let spaces = self.declaration.count - declaration.count
        guard spaces >= 0 else { return nil }
        let text = Array(repeating: UInt8(ascii: " "), count: spaces) + declaration
        let masked = Self.masked(text, at: self.declaration.lowerBound - self.start)
        unsafe UnsafeMutableRawBufferPointer(rebasing: self.file[self.declaration]).copyBytes(from: masked)
        return unsafe UnsafeRawBufferPointer(self.file)
    }

    private static func declaration(of input: NetworkInput) -> [UInt8] {
        let lengths = [input.pictures, input.height, input.width].map { $0 == NetworkInput.open ? "?" : "\($0)" }
        return Array("<data shape=\"\(lengths.joined(separator: ",")),3\"".utf8)
    }

    /// Puts the mask on a part of the text, or takes it off.
    private static func masked(_ text: [UInt8], at offset: Int) -> [UInt8] {
        text.enumerated().map { index, byte in byte ^ self.mask[(offset + index) % self.mask.count] }
    }
}
