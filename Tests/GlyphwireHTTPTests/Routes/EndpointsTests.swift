import HTTPTypes
import Testing

@testable import GlyphwireHTTP

struct EndpointsTests {
    private static let endpoints = Endpoints([
        Endpoint(.get, "/", summary: "the page"),
        Endpoint(.post, "/v1/read", summary: "reads pictures", isOpen: true),
        Endpoint(.post, "/v1/train", summary: "changes the server"),
        Endpoint(.get, "/v1/icon", summary: nil),
        Endpoint(.get, "/v1/jobs", summary: "the jobs", isOpen: true),
        Endpoint(.post, "/v1/jobs", summary: "starts a job"),
    ])

    @Test(arguments: ["/v1/read", "/v1/read/", "//v1//read", "/v1", "/v1/nowhere", "//v1/read/nowhere"])
    func anOpenEndpointAndWhatIsBesideItAreOpen(path: String) {
        #expect(Self.endpoints.isOpen(path))
    }

    @Test(arguments: ["/v1/train", "/v1/train/", "//v1//train", "/v1/icon", "/v1/jobs", "/", "", "/nowhere"])
    func anEndpointThatIsNotOpenIsClosedBesideAnOpenOneToo(path: String) {
        #expect(!Self.endpoints.isOpen(path))
    }

    @Test(arguments: [("//v1/train/", "/v1/train"), ("/v1/icon", nil), ("/nowhere", nil)] as [(String, String?)])
    func onlyAListedEndpointIsOffered(path: String, endpoint: String?) {
        #expect(Self.endpoints.endpoint(at: path)?.path == endpoint)
    }
}
