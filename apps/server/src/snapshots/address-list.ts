import { BlockList, isIP } from 'node:net'
import type { AddressList } from './snapshots.ts'

/**
 * The addresses from which a token may be used: one address or CIDR range per line. Only an empty text allows
 * every address; a list whose lines are all unreadable allows none.
 */
export function addressList(text: string): AddressList | undefined {
  const lines = text.split(/[\s,]+/).filter((line) => line !== '')
  if (lines.length === 0) return undefined
  const list = new BlockList()
  for (const line of lines) add(list, line)
  return {
    has(address) {
      const version = isIP(address)
      return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4')
    },
  }
}

function add(list: BlockList, line: string): void {
  const [address = '', bits] = line.split('/', 2)
  const version = isIP(address)
  if (version === 0) return
  const family = version === 6 ? 'ipv6' : 'ipv4'
  if (bits === undefined) list.addAddress(address, family)
  else if (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32)) {
    list.addSubnet(address, Number(bits), family)
  }
}
