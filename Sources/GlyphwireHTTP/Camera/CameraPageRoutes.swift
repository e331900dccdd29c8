internal import Hummingbird

/// Route of the camera page, `/camera`, which posts the frames of its device's camera to `/v1/read` as a stream.
struct CameraPageRoutes {
    func add(to router: some RouterMethods<HTTPRequestContext>) {
        router.get("camera") { _, _ in PageDocument.camera.response() }
    }
}
