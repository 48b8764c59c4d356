// Creates a database cluster in the folder argv[2] and ends. A process of its own, because creation leaves some 500 MB
// of memory behind that WebAssembly never gives back.
import { PGlite } from '@electric-sql/pglite';

// The parent holds the other end of stdin: when it is killed, there is nobody left to create for.
process.stdin.on('end', () => process.exit(1)).resume();

const db = await PGlite.create({ dataDir: process.argv[2] });
await db.close();
process.exit(0);
