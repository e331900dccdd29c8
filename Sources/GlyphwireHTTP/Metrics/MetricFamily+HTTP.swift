package import GlyphwireServer

extension MetricFamily {
    /// Families of an HTTP service, in the order in which they are written.
    package static let httpService = [
        livePages, httpResponses, refusedHTTPRequests, refusedHTTPConnections, httpReceivedBytes, httpSentBytes,
        silentConnections, ready,
    ]

    static let livePages = MetricFamily("glyphwire_live_pages", "Open live pages.")
    static let httpResponses = MetricFamily("glyphwire_http_responses_total", "Responses over HTTP, by status.")
    static let refusedHTTPRequests = MetricFamily(
        "glyphwire_http_requests_refused_total",
        "HTTP requests on connections beyond the limit of open ones."
    )
    static let refusedHTTPConnections = MetricFamily(
        "glyphwire_http_connections_refused_total",
        "HTTP connections that were not served, by reason."
    )
    static let httpReceivedBytes = MetricFamily(
        "glyphwire_http_received_bytes_total",
        "Bytes of requests over HTTP, without those of TLS."
    )
    static let httpSentBytes = MetricFamily(
        "glyphwire_http_sent_bytes_total",
        "Bytes of responses over HTTP, without those of TLS."
    )
    static let silentConnections = MetricFamily(
        "glyphwire_connections_silent",
        "Open connections without a frame in the last minute."
    )
    static let ready = MetricFamily(
        "glyphwire_ready",
        "1 while the server reads its test frame and accepts streams, as /readyz reports, else 0."
    )
}
