/** What comes early is fetched once; what comes too slowly is given up, where it may be. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { come, Early, SlowError, UNPACKED } from "../../src/web/prefetch";

/** A place whose fetches are counted. */
function place(answer: (url: string, stop?: AbortSignal | null) => Response) {
  const asked: string[] = [];
  const fetching = {
    fetch: (async (url: string, more?: RequestInit) => {
      asked.push(url);
      return answer(url, more?.signal);
    }) as typeof fetch,
  };
  return { asked, fetching, early: new Early(fetching) };
}

test("whoever asks later is given what came, as often as they ask", async () => {
  const { asked, fetching, early } = place((url) => new Response(`of ${url}`));
  early.fetch("a");
  assert.equal(await (await fetching.fetch("a")).text(), "of a");
  assert.equal(await (await fetching.fetch("a")).text(), "of a");
  assert.equal(new TextDecoder().decode(await come(early.fetch("a"))), "of a");
  assert.equal(await (await fetching.fetch("b")).text(), "of b");
  early.instead("a", new Response("other"));
  assert.equal(await (await fetching.fetch("a")).text(), "other");
  assert.deepEqual(asked, ["a", "b"]);
  assert.equal(await (await early.anew("a")).text(), "of a");
  early.forget("a");
  assert.equal(await (await fetching.fetch("a")).text(), "of a");
  assert.deepEqual(asked, ["a", "b", "a", "a"]);
});

test("what is packed is opened, whatever the server does; what is not there is said", async () => {
  const { early } = place((url) => (url === "gone" ? new Response("", { status: 404 }) : new Response(gzipSync("memory"))));
  assert.equal(new TextDecoder().decode(await early.unpacked("there", true)), "memory");
  await assert.rejects(early.unpacked("gone", true), /404/);
  await assert.rejects(come(early.fetch("gone")), /404/);
});

test("what was unpacked when it was laid down is read as it lies", async () => {
  const { early } = place(() => new Response("memory", { headers: { [UNPACKED]: "yes" } }));
  assert.equal(new TextDecoder().decode(await early.unpacked("there", true)), "memory");
});

test("on a slow line it is given up, if it may be", async () => {
  const packed = gzipSync(Buffer.from(Array.from({ length: 60_000 }, (_, n) => (n * 7919) % 251)));
  const slowly = (): Response => {
    let at = 0;
    const body = new ReadableStream({
      async pull(out) {
        await new Promise((done) => setTimeout(done, 100));
        const end = at + packed.length / 100;
        out.enqueue(new Uint8Array(packed.subarray(at, end)));
        at = end;
        if (at >= packed.length) out.close();
      },
    });
    return new Response(body, { headers: { "Content-Length": String(packed.length) } });
  };
  await assert.rejects(place(slowly).early.unpacked("slow", true), SlowError);
});
