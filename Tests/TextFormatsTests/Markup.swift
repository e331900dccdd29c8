import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// An element of an XML document.
final class Element {
    let name: String
    let attributes: [String: String]
    fileprivate(set) var children: [Element] = []
    /// Text of the element and its children.
    fileprivate(set) var text = ""
    fileprivate(set) weak var parent: Element?

    fileprivate init(_ name: String, _ attributes: [String: String], parent: Element?) {
        (self.name, self.attributes, self.parent) = (name, attributes, parent)
    }

    /// Descendants in document order.
    var descendants: [Element] { self.children.flatMap { [$0] + $0.descendants } }

    /// Descendants with a name.
    func all(_ name: String) -> [Element] { self.descendants.filter { $0.name == name } }

    /// Descendants with a class.
    func all(class kind: String) -> [Element] { self.descendants.filter { $0.attributes["class"] == kind } }

    /// Parses a document.
    ///
    /// - Throws: The parser's error if it is not well formed.
    static func root(of document: String) throws -> Element {
        let tree = Tree()
        let parser = XMLParser(data: Data(document.utf8))
        parser.delegate = tree
        guard parser.parse(), let root = tree.root else {
            throw parser.parserError ?? CocoaError(.fileReadCorruptFile)
        }
        return root
    }
}

private final class Tree: NSObject, XMLParserDelegate {
    var root: Element?
    private var open: [Element] = []

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        let element = Element(name, attributes, parent: self.open.last)
        self.open.last?.children.append(element)
        if self.open.isEmpty { self.root = element }
        self.open.append(element)
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        self.open.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        for element in self.open { element.text += text }
    }
}
