import { useCallback, useEffect, useState } from 'react'

const SECOND_MS = 1000

/** Seconds left until 0, computed from the clock, so that a tab in the background does not fall behind. */
export function useCountdown(): readonly [number, (seconds: number) => void] {
  const [endMs, setEndMs] = useState(0)
  const [nowMs, setNowMs] = useState(0)
  const left = Math.max(0, Math.ceil((endMs - nowMs) / SECOND_MS))
  const isRunning = left > 0
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => setNowMs(Date.now()), SECOND_MS / 4)
    return () => clearInterval(timer)
  }, [isRunning])
  const start = useCallback((seconds: number) => {
    const now = Date.now()
    setNowMs(now)
    setEndMs(now + seconds * SECOND_MS)
  }, [])
  return [left, start]
}
