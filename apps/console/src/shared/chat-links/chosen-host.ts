/**
 * The host whose server would receive the key; `undefined` if the key stays in this browser or on this
 * machine.
 */
export function hostReceivingKey(template: string): string | undefined {
  if (!/^https?:\/\//i.test(template)) return undefined
  const [beforeFragment = ''] = template.split('#')
  if (!/\{(key|\w+Config)\}/.test(beforeFragment)) return undefined
  return /^https?:\/\/([^/?#]+)/i.exec(template)?.[1]
}
