import { readFileSync } from 'node:fs';
import { Controller, Get, Header, applyDecorators } from '@nestjs/common';

/**
 * Scripts and styles of this server only, no inline ones, no frames, no forms that go anywhere, and no string becomes
 * markup but by the policy that Lit makes for its own templates.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html',
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Memories</title>
    <link rel="stylesheet" href="/memories/page.css">
    <script type="module" src="/memories/memories-page.js"></script>
  </head>
  <body>
    <main>
      <h1>Memories</h1>
      <form id="sign-in" hidden>
        <label for="token">Access token</label>
        <input id="token" type="password" autocomplete="off" required>
        <button>Show my memories</button>
      </form>
      <engram-memories endpoint="/graphql"></engram-memories>
    </main>
    <noscript>This page needs JavaScript.</noscript>
  </body>
</html>
`;

/** The colours are those of the element. */
const STYLE = `:root { color-scheme: light dark; }
body { background: light-dark(#fff, #16181d); color: light-dark(#1d1f24, #e8eaf0); font: 1rem/1.5 system-ui, sans-serif; margin: 0; }
h1, #sign-in { margin: 0 auto; max-width: 45rem; padding: 1rem 1rem 0; }
h1 { font-size: 1.5rem; }
#sign-in:not([hidden]) { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; }
#sign-in input, #sign-in button { border: 1px solid; border-radius: 0.5rem; box-sizing: border-box; font: inherit; min-height: 2.25rem; padding: 0.25rem 0.75rem; }
#sign-in input { flex: 1 1 12rem; min-width: 0; }
#sign-in button { background: light-dark(#2c4fd8, #9db2ff); border-color: transparent; color: light-dark(#fff, #10131a); cursor: pointer; }
#sign-in :focus-visible { outline: 3px solid light-dark(#2c4fd8, #9db2ff); outline-offset: 2px; }
`;

/** As that type and no other, and asked for anew after each deployment. */
function Served(type: string): MethodDecorator {
  return applyDecorators(
    Header('content-type', `${type}; charset=utf-8`),
    Header('x-content-type-options', 'nosniff'),
    Header('cache-control', 'no-cache'),
  );
}

/** What the build put beside the server; read at the first request, so that a server without a page still starts. */
function built(name: string): string {
  return readFileSync(new URL(`../web/${name}`, import.meta.url), 'utf8');
}

/** The memory page. It holds nothing of anybody: what it shows, it asks `/graphql` for, as whoever looks. */
@Controller('memories')
export class MemoriesPageController {
  @Get()
  @Served('text/html')
  @Header('content-security-policy', CONTENT_SECURITY_POLICY)
  @Header('referrer-policy', 'no-referrer')
  page(): string {
    return PAGE;
  }

  @Get('page.css')
  @Served('text/css')
  style(): string {
    return STYLE;
  }

  @Get('memories-page.js')
  @Served('text/javascript')
  script(): string {
    return built('memories-page.js');
  }

  @Get('engram-memories.js')
  @Served('text/javascript')
  element(): string {
    return built('engram-memories.js');
  }
}
