package glyphwire;

import java.util.List;

/** The server's greeting. */
public final class Hello extends Line {
    public final String server;
    /** Of the software; for logs, not for decisions. */
    public final String version;
    public final long protocol;
    /** "none" or "token". */
    public final String auth;
    /** 0 is none; likewise for the other limits. */
    public final long maxMessageBytes;
    public final long maxPixels;
    public final long maxSide;
    public final long maxConfigureBytes;
    /** That of messages before the token, where one is required. */
    public final long maxUnauthenticatedBytes;
    /** The values that the option level may have. */
    public final List<String> levels;
    /** Languages that each level reads by a reader beside its networks, by their codes. */
    public final List<String> languages;
    /** Abilities that another server may lack, such as "delivery". */
    public final List<String> features;

    Hello(String json, Fields fields) {
        super(json, fields);
        this.server = fields.string("server");
        this.version = fields.string("version");
        this.protocol = fields.wholeOrZero("protocol");
        this.auth = fields.string("auth");
        Fields limits = fields.object("limits");
        this.maxMessageBytes = limits.wholeOrZero("max_message_bytes");
        this.maxPixels = limits.wholeOrZero("max_pixels");
        this.maxSide = limits.wholeOrZero("max_side");
        this.maxConfigureBytes = limits.wholeOrZero("max_configure_bytes");
        this.maxUnauthenticatedBytes = limits.wholeOrZero("max_unauthenticated_bytes");
        this.levels = fields.strings("levels");
        this.languages = fields.strings("languages");
        this.features = fields.strings("features");
    }
}
