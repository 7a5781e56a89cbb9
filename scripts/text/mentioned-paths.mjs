// Finds paths and links in documents that lead nowhere, and code in guides that differs from its file.
import { posix } from 'node:path'

/** Links that begin with a slash lead to pages of the site; its own test checks them. */
const LINK = /\]\((?!https?:|mailto:|#|\/)([^)#\s]+)(?:#[^)]*)?\)/g
/** A path from the root of the repository, in backticks. */
const PATH = /`((?:apps|packages|docs|e2e|bench|scripts|\.ci|\.github)\/[\w./-]*)`/g
const SCRIPT = /`npm run (?:-s )?([\w:]+)/g

/** A block of code whose info string names a file, such as ```ts packages/kit/src/ids.ts. */
const EXCERPT = /^```\w+ (\S+)\n([\s\S]*?)^```$/gm

/**
 * Returns one line for each block of code that names a file and is not a part of it.
 * @param {import('./files.mjs').TextFile} file a Markdown document
 * @param {(path: string) => string | undefined} read text of a file of the repository
 * @returns {string[]}
 */
export function findStaleExcerpts({ path, text }, read) {
  return [...text.matchAll(EXCERPT)]
    .filter(([, from, code]) => !read(from)?.includes(code))
    .map(
      ([, from, code]) =>
        `${path}: ${from} does not contain the code that begins with ${code.split('\n', 1)[0]}`,
    )
}

/**
 * Returns one line for each link, path in backticks or npm script that does not exist.
 * @param {import('./files.mjs').TextFile} file a Markdown document
 * @param {{ exists: (path: string) => boolean, scripts: Record<string, string> }} repository
 * @returns {string[]}
 */
export function findDeadMentions({ path, text }, { exists, scripts }) {
  const links = [...text.matchAll(LINK)].map(([, to]) => posix.join(posix.dirname(path), to))
  const paths = [...text.matchAll(PATH)].map(([, to]) => to)
  const dead = [...links, ...paths].filter((to) => !exists(to)).map((to) => `${path}: no file ${to}`)
  const unknown = [...text.matchAll(SCRIPT)].map(([, name]) => name).filter((name) => !(name in scripts))
  return [...new Set([...dead, ...unknown.map((name) => `${path}: no script ${name} in package.json`)])]
}
