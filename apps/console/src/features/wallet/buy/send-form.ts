/**
 * Submits a form in a new tab. Safari blocks new tabs after waiting for a response, so there the form
 * replaces the current page.
 */
export function sendForm(address: string, fields: Readonly<Record<string, string>>): void {
  const form = document.createElement('form')
  form.action = address
  form.method = 'POST'
  if (!isSafari(navigator.userAgent)) form.target = '_blank'
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    Object.assign(input, { type: 'hidden', name, value })
    form.append(input)
  }
  document.body.append(form)
  form.submit()
  form.remove()
}

export function isSafari(userAgent: string): boolean {
  return userAgent.includes('Safari') && !/Chrome|Chromium|Edg|Android/.test(userAgent)
}
