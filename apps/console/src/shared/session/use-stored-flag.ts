import { useState } from 'react'
import { readText, writeText } from './storage.ts'

/** A boolean that the browser stores as `true` or `false`. */
export function useStoredFlag(key: string): readonly [boolean, (isOn: boolean) => void] {
  const [isOn, setIsOn] = useState(() => readText(key) === 'true')
  return [
    isOn,
    (next) => {
      writeText(key, String(next))
      setIsOn(next)
    },
  ]
}
