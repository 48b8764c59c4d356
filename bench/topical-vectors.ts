const TOPICS = 200;
const LATENT_DIRECTIONS = 40;
/** Directions that one text has a part in. */
const LATENTS_OF_A_TEXT = 12;
/** Noise is drawn once and cut out at random places: 75 million numbers of its own would take longer than all else. */
const NOISE_LENGTH = 1 << 18;

/** How much of a vector's length each part has. Two texts on other topics come out at a cosine of 0.2, on one topic at 0.5. */
const SHARES = { common: 0.45, topic: 0.55, latent: 0.6, noise: 0.25 };

/** How far a question lies from the memory that answers it: a cosine of about 0.85. */
const QUESTION = { latent: 0.35, noise: 0.45 };

/** Pseudo-random numbers in [0, 1), the same in every run (mulberry32, public domain). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Unit vectors with the structure that embeddings of real text have: a direction that all share, topics, a few latent
 * directions of falling weight within them, and little noise. Uniformly random vectors have no neighbours to find.
 */
export class TopicalVectors {
  private readonly random: () => number;
  private readonly common: Float64Array;
  private readonly topics: readonly Float64Array[];
  private readonly latents: readonly Float64Array[];
  private readonly noise: Float64Array;

  constructor(
    readonly dimensions: number,
    seed: number,
  ) {
    this.random = randomNumbers(seed);
    this.common = this.direction();
    this.topics = Array.from({ length: TOPICS }, () => this.direction());
    this.latents = Array.from({ length: LATENT_DIRECTIONS }, () => this.direction());
    this.noise = Float64Array.from({ length: NOISE_LENGTH }, () => this.normal());
  }

  /** A memory on one of the topics; the same `topic` number, the same topic. */
  memory(topic: number): number[] {
    const sum = new Float64Array(this.dimensions);
    add(sum, this.common, SHARES.common);
    add(sum, this.topics[topic % TOPICS] as Float64Array, SHARES.topic);
    this.addOwn(sum, SHARES);
    return unit(sum);
  }

  /** A question that the memory of this vector answers. */
  questionNear(memory: readonly number[]): number[] {
    const sum = Float64Array.from(memory);
    this.addOwn(sum, QUESTION);
    return unit(sum);
  }

  private addOwn(sum: Float64Array, { latent, noise }: { latent: number; noise: number }): void {
    const own = Array.from({ length: LATENTS_OF_A_TEXT }, () => {
      const rank = Math.floor(this.random() * LATENT_DIRECTIONS);
      return { rank, weight: this.normal() / Math.sqrt(rank + 1) };
    });
    const length = Math.hypot(...own.map(({ weight }) => weight));
    for (const { rank, weight } of own) {
      add(sum, this.latents[rank] as Float64Array, (latent * weight) / length);
    }
    const from = Math.floor(this.random() * (NOISE_LENGTH - this.dimensions));
    add(sum, this.noise.subarray(from, from + this.dimensions), noise / Math.sqrt(this.dimensions));
  }

  private direction(): Float64Array {
    return Float64Array.from(unit(Float64Array.from({ length: this.dimensions }, () => this.normal())));
  }

  /** Close enough to a normal distribution, and cheap. */
  private normal(): number {
    return (this.random() + this.random() + this.random() - 1.5) * 2;
  }
}

function add(sum: Float64Array, direction: Float64Array, weight: number): void {
  for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] as number) + weight * (direction[i] as number);
}

function unit(vector: Float64Array): number[] {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  // As float32, which is what services send.
  return Array.from(vector, (value) => Math.fround(value / length));
}
