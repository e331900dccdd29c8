"""An RTSP server that shows one picture for ever: rtsp_server.py PORT PICTURE. Needs Debian's Python, for python3-gi."""

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

port, picture = sys.argv[1:]
Gst.init(None)
factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch(
    f"( filesrc location={picture} ! jpegdec ! videoconvert ! imagefreeze is-live=true ! video/x-raw,format=I420,framerate=10/1"
    " ! jpegenc quality=95 ! rtpjpegpay name=pay0 pt=26 )"
)
factory.set_shared(True)
server = GstRtspServer.RTSPServer()
server.set_service(port)
server.get_mount_points().add_factory("/camera", factory)
server.attach(None)
print(f"rtsp://127.0.0.1:{port}/camera", flush=True)
GLib.MainLoop().run()
