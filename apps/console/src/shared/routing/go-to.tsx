import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'

/**
 * Redirects to an address of the console, with its search parameters, when it is rendered. Leaves no history
 * entry.
 */
export function GoTo({ href }: { readonly href: string }) {
  const navigate = useNavigate()
  useEffect(() => {
    void navigate({ href, replace: true })
  }, [navigate, href])
  return null
}
