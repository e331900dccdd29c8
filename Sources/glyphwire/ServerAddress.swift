internal import ArgumentParser

/// Name or address of a server with its port, as `host:port`.
struct ServerAddress: ExpressibleByArgument {
    let host: String
    let port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    init?(argument: String) {
        guard let address = ListenAddress(argument: argument), argument.contains(":"), address.port > 0 else {
            return nil
        }
        self.init(host: address.host, port: address.port)
    }
}
