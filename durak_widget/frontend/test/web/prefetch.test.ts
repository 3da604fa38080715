/** Prefetched files are fetched once. Slow ones are given up if allowed. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { Prefetcher, readResponse, SlowError, UNPACKED_HEADER } from "../../src/web/prefetch";

/** A scope that counts its fetches. */
function makeScope(answer: (url: string, stop?: AbortSignal | null) => Response) {
  const asked: string[] = [];
  const fetching = {
    fetch: (async (url: string, more?: RequestInit) => {
      asked.push(url);
      return answer(url, more?.signal);
    }) as typeof fetch,
  };
  return { asked, fetching, early: new Prefetcher(fetching) };
}

test("a prefetched file is returned on every later request", async () => {
  const { asked, fetching, early } = makeScope((url) => new Response(`of ${url}`));
  early.fetch("a");
  assert.equal(await (await fetching.fetch("a")).text(), "of a");
  assert.equal(await (await fetching.fetch("a")).text(), "of a");
  assert.equal(new TextDecoder().decode(await readResponse(early.fetch("a"))), "of a");
  assert.equal(await (await fetching.fetch("b")).text(), "of b");
  early.setResponse("a", new Response("other"));
  assert.equal(await (await fetching.fetch("a")).text(), "other");
  assert.deepEqual(asked, ["a", "b"]);
  assert.equal(await (await early.refetch("a")).text(), "of a");
  early.forget("a");
  assert.equal(await (await fetching.fetch("a")).text(), "of a");
  assert.deepEqual(asked, ["a", "b", "a", "a"]);
});

test("compressed files are unpacked with any server, and missing files are reported", async () => {
  const { early } = makeScope((url) => (url === "gone" ? new Response("", { status: 404 }) : new Response(gzipSync("memory"))));
  assert.equal(new TextDecoder().decode(await early.fetchUnpacked("there", true)), "memory");
  await assert.rejects(early.fetchUnpacked("gone", true), /404/);
  await assert.rejects(readResponse(early.fetch("gone")), /404/);
});

test("a file that was cached unpacked is read as it is", async () => {
  const { early } = makeScope(() => new Response("memory", { headers: { [UNPACKED_HEADER]: "yes" } }));
  assert.equal(new TextDecoder().decode(await early.fetchUnpacked("there", true)), "memory");
});

test("on a slow connection an optional file is given up", async () => {
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
  await assert.rejects(makeScope(slowly).early.fetchUnpacked("slow", true), SlowError);
});
