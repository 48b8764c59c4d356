/** Opcodes from here on are of control frames, which are short and may stand between the frames of a message. */
const FIRST_CONTROL_OPCODE = 8;

/** Reads the heads of the frames that one client sends (RFC 6455, section 5.2), and adds up the lengths that they announce. */
export class MessageMeter {
  /** Bytes of a head that is not whole yet. */
  private head: Buffer = Buffer.alloc(0);
  private payloadLeft = 0;
  private messageBytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** Takes the next bytes of the stream. @returns false once a message is longer than it may be, before it is there */
  take(chunk: Buffer): boolean {
    let rest = chunk;
    for (;;) {
      const skipped = Math.min(this.payloadLeft, rest.length);
      this.payloadLeft -= skipped;
      rest = rest.subarray(skipped);
      if (rest.length === 0) return true;
      const bytes = this.head.length === 0 ? rest : Buffer.concat([this.head, rest]);
      const headBytes = headLength(bytes);
      if (headBytes === null || bytes.length < headBytes) {
        this.head = bytes;
        return true;
      }
      this.head = Buffer.alloc(0);
      if (!this.takeHead(bytes)) return false;
      rest = bytes.subarray(headBytes);
    }
  }

  private takeHead(head: Buffer): boolean {
    this.payloadLeft = payloadLength(head);
    const [first = 0] = head;
    if ((first & 0x0f) >= FIRST_CONTROL_OPCODE) return true;
    this.messageBytes += this.payloadLeft;
    if (this.messageBytes > this.maxBytes) return false;
    if ((first & 0x80) !== 0) this.messageBytes = 0;
    return true;
  }
}

/** Null where it is not said yet. */
function headLength(head: Buffer): number | null {
  const second = head[1];
  if (second === undefined) return null;
  const short = second & 0x7f;
  const maskBytes = second & 0x80 ? 4 : 0;
  return 2 + (short === 127 ? 8 : short === 126 ? 2 : 0) + maskBytes;
}

/** Of a head that is whole. */
function payloadLength(head: Buffer): number {
  const short = head.readUInt8(1) & 0x7f;
  if (short === 127) return Number(head.readBigUInt64BE(2));
  return short === 126 ? head.readUInt16BE(2) : short;
}
