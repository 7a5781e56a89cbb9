import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Leads on to an address of ours, with its search parameters, as soon as it is shown. Leaves no history entry. */
export function GoTo({ href }: { readonly href: string }) {
  const navigate = useNavigate()
  useEffect(() => {
    void navigate({ href, replace: true })
  }, [navigate, href])
  return null
}
