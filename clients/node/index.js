export { Connection, connect } from "./src/connection.js";
export { GlyphwireError } from "./src/error.js";
export { Format, Orientation } from "./src/message.js";
