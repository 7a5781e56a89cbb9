export function isInLink(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a') !== null
}
