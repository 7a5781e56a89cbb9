import process from 'node:process'

export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
