import type { Program } from './program.ts'

/** Sign-ins that cannot succeed, at one name each, from one address in the world; how many were looked at. */
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
