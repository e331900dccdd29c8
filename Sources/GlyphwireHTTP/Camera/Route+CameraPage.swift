internal import HTTPTypes
internal import Hummingbird

extension Route {
    /// Route of the camera page, which posts the frames of its device's camera to `/v1/read` as a stream.
    ///
    /// It shows nothing of the server; the token of its address does not reach the server.
    static let cameraPage = Route(
        Endpoint(
            .get,
            "/camera",
            summary: "the page that makes the camera of a phone or laptop a stream",
            access: .connection
        )
    ) { _, _ in PageDocument.camera.response() }
}
