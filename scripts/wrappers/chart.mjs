import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from '../install.mjs'

const BLOCK = 512

/**
 * Packs the Helm chart. Its name differs from that of helm's own packages, because `tollgate-0.1.0.tgz` is the npm package.
 * @param {{ folder: string, version: string, epoch: number, from?: string }} how
 * @returns {string} path of the archive
 */
export function packChart({ folder, version, epoch, from = join(root, 'deploy/chart') }) {
  const own = /^version: (.+)$/m.exec(readFileSync(join(from, 'Chart.yaml'), 'utf8'))?.[1]
  if (own !== version) throw new Error(`Chart.yaml has the version ${own}, and the release is ${version}`)
  const names = readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(from.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
  const entries = names.map((name) => tarEntry(`tollgate/${name}`, readFileSync(join(from, name)), epoch))
  const path = join(folder, `tollgate-chart-${version}.tgz`)
  writeFileSync(path, gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]), { level: 9 }))
  return path
}

const octal = (value, digits) => `${value.toString(8).padStart(digits, '0')}\0`

/** One file in the format ustar, which the same content and time always give the same bytes. */
function tarEntry(name, content, epoch) {
  const header = Buffer.alloc(BLOCK)
  header.write(name, 0, 100)
  header.write(octal(0o644, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(content.length, 11), 124)
  header.write(octal(epoch, 11), 136)
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)])
}
