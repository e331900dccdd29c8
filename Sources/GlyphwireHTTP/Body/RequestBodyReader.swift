internal import ImageCodecs
internal import Hummingbird
internal import NIOCore
internal import NIOPosix

/// Reader of request bodies that decompresses them.
struct RequestBodyReader {
    /// Maximum size of a body in bytes.
    let maxByteCount: Int

    /// Reads a body within the memory for all clients' payloads.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - memory: The memory share of the request.
    /// - Returns: The body.
    /// - Throws: The reason to reject it.
    func body(of request: Request, holding memory: HeldMemory) async throws(BodyError) -> RequestBody {
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
        } catch is RequestTimeoutHandler.LateBody {
            throw .late
        } catch {
            throw .endedEarly
        }
        let received = ContinuousClock.now
        if codings.isEmpty, body.starts(with: [0x1F, 0x8B]) { throw .unnamedGzip }
        for coding in codings.reversed() { body = try await self.unpacked(body, from: coding, holding: memory) }
        return RequestBody(bytes: body, received: received)
    }

    /// Decompresses a body on a thread that may block, and releases the compressed one.
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
