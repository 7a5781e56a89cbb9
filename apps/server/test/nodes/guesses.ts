import type { Program } from './program.ts'

/**
 * Tries to sign in with wrong passwords, each at another account name, `each` times per node and from one
 * address. Returns how many tries were not rate-limited.
 */
export async function guesses(from: string, nodes: readonly Program[], each: number): Promise<number> {
  const guess = async ({ address }: Program, number: number) => {
    const response = await fetch(`${address}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from, origin: address },
      body: JSON.stringify({ username: `nobody-${from}-${number}`, password: 'wrong-password' }),
    })
    return response.status
  }
  const all = nodes.flatMap((node) => Array.from({ length: each }, (_, number) => guess(node, number)))
  return (await Promise.all(all)).filter((status) => status !== 429).length
}
