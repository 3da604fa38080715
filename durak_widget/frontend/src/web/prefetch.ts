/** What comes before it is asked for: files are fetched at once and side by side, whoever asks for them later, and in which order. */

/** After so long one sees how fast the line is. */
const LOOK = 600;
/** So much longer may it take that saves the time in which Python starts: a few seconds here, more on a telephone; half of the line is somebody else's meanwhile. */
const WORTH = 8000;

/** A header: this was packed on its way, and lies here as it is read. */
export const UNPACKED = "Durak-Unpacked";

/** Whoever fetches. */
interface Fetching {
  fetch: typeof fetch;
}

/** The line is so slow that something shorter comes sooner. */
export class SlowError extends Error {}

export class Early {
  private readonly files = new Map<string, Promise<Response>>();
  private readonly really: typeof fetch;

  constructor(where: Fetching) {
    this.really = where.fetch.bind(where);
    where.fetch = (asked, more) => this.files.get(String(asked))?.then((one) => one.clone()) ?? this.really(asked, more);
  }

  /** Fetch it now; who asks for it later is given the same. */
  fetch(url: string): Promise<Response> {
    const known = this.files.get(url) ?? this.really(url);
    known.catch(() => {}); // whoever asks for it hears of it
    this.files.set(url, known);
    return known;
  }

  /** Fetch it, whatever is given to others. */
  anew(url: string): Promise<Response> {
    return this.really(url);
  }

  /** Who asks for it is given this. */
  instead(url: string, answer: Response): void {
    this.files.set(url, Promise.resolve(answer));
  }

  /** Who asks for it has it fetched. */
  forget(url: string): void {
    this.files.delete(url);
  }

  /** A file that lies there packed, whatever the server does, or in the browser already unpacked; where one may give up, a SlowError as soon as it is seen that it takes too long. */
  async unpacked(url: string, mayGiveUp: boolean): Promise<ArrayBuffer> {
    const stop = new AbortController();
    const answer = sound(await this.really(url, { signal: stop.signal }));
    if (answer.headers.has(UNPACKED)) return answer.arrayBuffer();
    const whole = Number(answer.headers.get("Content-Length"));
    const began = performance.now();
    let bytes = 0;
    let slow = false;
    const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, out) {
        bytes += chunk.length;
        const past = performance.now() - began;
        slow ||= mayGiveUp && whole > 0 && past > LOOK && (past * (whole - bytes)) / bytes > WORTH;
        if (!slow) return out.enqueue(chunk);
        stop.abort();
        out.error(new SlowError());
      },
    });
    const body = answer.body as ReadableStream<Uint8Array<ArrayBuffer>>;
    try {
      return await new Response(body.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
    } catch (error) {
      throw slow ? new SlowError() : error;
    }
  }
}

/** All of an answer, if it is one. */
export async function come(answer: Promise<Response>): Promise<ArrayBuffer> {
  return sound((await answer).clone()).arrayBuffer();
}

function sound(answer: Response): Response {
  if (!answer.ok || !answer.body) throw new Error(`${answer.url}: ${answer.status}`);
  return answer;
}
