internal import GlyphwireServer
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOPosix

/// Routes of the live page: `/` for the document, `/events` for its server-sent events, `/favicon.ico` for its icon.
///
/// There are two kinds of events, each with JSON: `streams`, the content of `/streams`, once a second; and `frame`,
/// with the number of the `stream`, the `result` line, and the picture as `jpeg` in base64, which may be empty. Of a picture
/// that is too large for a page, `omitted_bytes` is the size.
struct LivePageRoutes {
    let feed: LiveFeed

    /// Route of the document.
    var page: Route {
        Route(Endpoint(.get, "/", summary: "the live page")) { _, _ in PageDocument.live.response() }
    }

    /// Route of the events.
    var events: Route {
        let summary = "the frames and streams of the live page, as server-sent events"
        return Route(Endpoint(.get, "/events", summary: summary)) { _, context in
            self.openPage(tokenChanges: context.tokenChanges)
        }
    }

    /// Route of the icon, which browsers request without a token.
    var icon: Route {
        Route(Endpoint(.get, "/favicon.ico", summary: nil, access: .connection)) { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "image/x-icon", .cacheControl: "max-age=86400"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: PackageResources.favicon_ico))
            )
        }
    }

    private func openPage(tokenChanges: Int) -> Response {
        guard self.feed.hasRoom else {
            return .text("Too many live pages are open: close one of them.\n", status: .serviceUnavailable)
        }
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .xContentTypeOptions: "nosniff"],
            body: ResponseBody { writer in
                guard let page = self.feed.addPage(tokenChanges: tokenChanges) else {
                    return try await writer.finish(nil)
                }
                defer { self.feed.remove(page) }
                while let item = await page.next() {
                    // Returns when the socket has room; until then, newer frames replace the waiting ones.
                    try await writer.write(try await self.bytes(of: item))
                }
                try await writer.finish(nil)
            }
        )
    }

    private func bytes(of item: LivePage.Item) async throws -> ByteBuffer {
        switch item {
        case .streams:
            var event = ByteBuffer(string: "event: streams\ndata: ")
            event.writeImmutableBuffer(StreamsReport(self.feed.monitor.streams).json())
            event.writeString("\n")
            return event
        case .frame(let frame):
            return try await NIOThreadPool.singleton.runIfActive { frame.event() }
        }
    }
}
