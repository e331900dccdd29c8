internal import ImageCodecs
internal import Hummingbird
internal import NIOCore
internal import NIOPosix

/// Why a body is not taken.
enum BodyError: Error, Hashable {
    /// It has more bytes than the limit, as it comes or unpacked.
    case tooLarge
    /// The server has no memory for it.
    case noMemory
    /// It is packed in a way that is not known here.
    case unknownCoding(String)
    /// It is not what its `Content-Encoding` says, for a reason in a few words.
    case damaged(ContentCoding, String)
    /// It is packed and does not say so.
    case unnamedGzip
    /// The connection failed before its end.
    case endedEarly
}

/// Takes the bodies of requests, and unpacks those that are packed.
struct RequestBodyReader {
    /// Bytes that a body may have.
    let maxByteCount: Int

    /// Takes a body; what of it has come counts as memory that clients hold.
    ///
    /// - Parameters:
    ///   - request: The request that it belongs to.
    ///   - memory: Holds the body from then on.
    /// - Returns: The body, unpacked.
    /// - Throws: Why it is not taken.
    func body(of request: Request, holding memory: HeldMemory) async throws(BodyError) -> [UInt8] {
        let codings = try ContentCoding.codings(of: request.headers[.contentEncoding])
        guard request.head.contentLength ?? 0 <= self.maxByteCount else { throw .tooLarge }
        var body: [UInt8] = []
        do {
            for try await part in request.body {
                guard memory.add(part.readableBytes) else { throw BodyError.noMemory }
                guard body.count + part.readableBytes <= self.maxByteCount else { throw BodyError.tooLarge }
                body.append(contentsOf: part.readableBytesView)
            }
        } catch let error as BodyError {
            throw error
        } catch {
            throw .endedEarly
        }
        if codings.isEmpty, body.starts(with: [0x1F, 0x8B]) { throw .unnamedGzip }
        for coding in codings.reversed() { body = try await self.unpacked(body, from: coding, holding: memory) }
        return body
    }

    /// Unpacks a body, on a thread that may be kept; the packed one is held no more.
    private func unpacked(
        _ packed: [UInt8],
        from coding: ContentCoding,
        holding memory: HeldMemory
    ) async throws(BodyError) -> [UInt8] {
        do {
            let body = try await NIOThreadPool.singleton.runIfActive {
                try Inflater.unpack(
                    packed,
                    wrapping: coding.wrapping,
                    limit: self.maxByteCount,
                    hold: { memory.add($0) }
                )
            }
            memory.remove(packed.count)
            return body
        } catch let failure as Inflater.Failure {
            switch failure {
            case .tooLarge: throw .tooLarge
            case .noMemory: throw .noMemory
            case .cutOff: throw .damaged(coding, "it ends too early")
            case .damaged(let reason): throw .damaged(coding, reason)
            }
        } catch {
            throw .endedEarly
        }
    }
}
