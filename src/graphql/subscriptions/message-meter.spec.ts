import { describe, expect, it } from '@jest/globals';
import { MessageMeter } from './message-meter.js';

interface Frame {
  readonly opcode: number;
  readonly isLast?: boolean;
  readonly bytes: number;
  readonly isMasked?: boolean;
}

const [CONTINUATION, TEXT, PING] = [0, 1, 9];

/** As a client sends it; the payload could be anything. */
function frame({ opcode, isLast = true, bytes, isMasked = true }: Frame): Buffer {
  const length = bytes > 0xffff ? Buffer.alloc(9) : bytes > 125 ? Buffer.alloc(3) : Buffer.from([bytes]);
  if (length.length === 9) {
    length[0] = 127;
    length.writeBigUInt64BE(BigInt(bytes), 1);
  } else if (length.length === 3) {
    length[0] = 126;
    length.writeUInt16BE(bytes, 1);
  }
  length[0] = (length[0] ?? 0) | (isMasked ? 0x80 : 0);
  // A payload of the bytes that heads are made of.
  return Buffer.concat([
    Buffer.from([(isLast ? 0x80 : 0) | opcode]),
    length,
    Buffer.alloc((isMasked ? 4 : 0) + bytes, 0xff),
  ]);
}

/** What a meter says of a stream that comes in pieces of a size. */
function verdict(frames: readonly Frame[], maxBytes: number, pieceBytes: number): boolean {
  const stream = Buffer.concat(frames.map(frame));
  const meter = new MessageMeter(maxBytes);
  for (let at = 0; at < stream.length; at += pieceBytes) {
    if (!meter.take(stream.subarray(at, at + pieceBytes))) return false;
  }
  return true;
}

describe('the meter of web socket messages', () => {
  const fragments = (count: number, bytes: number): Frame[] =>
    Array.from({ length: count }, (_, index) => ({
      opcode: index === 0 ? TEXT : CONTINUATION,
      isLast: index === count - 1,
      bytes,
    }));

  it.each<[string, Frame[], boolean]>([
    ['messages of the longest length', [70_000, 70_000].map((bytes) => ({ opcode: TEXT, bytes })), true],
    ['one that is a byte longer', [{ opcode: TEXT, bytes: 70_001 }], false],
    ['short ones before one that is longer', [0, 5, 125, 126, 70_001].map((bytes) => ({ opcode: TEXT, bytes })), false],
    ['one in fragments', fragments(100, 700), true],
    ['one in fragments that are longer together', fragments(101, 700), false],
    ['two in fragments', [...fragments(80, 700), ...fragments(80, 700)], true],
    [
      'one with pings between its fragments',
      fragments(100, 700).flatMap((f) => [f, { opcode: PING, bytes: 125 }]),
      true,
    ],
    ['one that is not masked', [{ opcode: TEXT, bytes: 70_001, isMasked: false }], false],
  ])('reads %s, in whatever pieces it comes', (_, frames, isWithin) => {
    for (const pieceBytes of [1, 7, 1_460, 1_000_000]) expect(verdict(frames, 70_000, pieceBytes)).toBe(isWithin);
  });

  it('refuses by the length that is announced, before the message is there', () => {
    const announced = frame({ opcode: TEXT, bytes: 2 ** 20 }).subarray(0, 14);
    expect(new MessageMeter(2 ** 20).take(announced)).toBe(true);
    expect(new MessageMeter(2 ** 20 - 1).take(announced)).toBe(false);
    const most = Buffer.concat([Buffer.from([0x81]), Buffer.alloc(13, 0xff)]);
    expect(new MessageMeter(2 ** 20).take(most)).toBe(false);
  });
});
