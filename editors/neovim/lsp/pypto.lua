-- Configuration of pypto-lsp for Neovim 0.11 and newer, found on the runtime path by vim.lsp.enable("pypto").
return {
  cmd = { "pypto-lsp", "serve" },
  filetypes = { "python" },
  root_markers = { "pyproject.toml", "setup.py", ".git" },
  init_options = { settings = { target = "ascend910b" } },
}
