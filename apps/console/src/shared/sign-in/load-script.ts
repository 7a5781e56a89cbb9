const loaded = new Map<string, Promise<void>>()

/** Loads a widget's script once; if loading failed, the next call tries again. */
export function loadScript(url: string): Promise<void> {
  const known = loaded.get(url)
  if (known !== undefined) return known
  const loading = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = url
    script.async = true
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      loaded.delete(url)
      script.remove()
      reject(new Error(`${url} was not loaded`))
    })
    document.head.append(script)
  })
  loaded.set(url, loading)
  return loading
}
