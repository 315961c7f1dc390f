# figures.mk - targets of the RDP paper's tables and figures; short names mean this paper

RDP_FIGURES := table1 fig1 fig2 fig3 fig4 fig5 fig7 fig8 fig9 fig10 cut roofline
.PHONY: rdp $(RDP_FIGURES) $(addprefix rdp-,$(RDP_FIGURES))

rdp: $(addprefix rdp-,$(RDP_FIGURES)) ## all tables and figures of the RDP paper

rdp-table1: ## Table 1: times by power mode, printed and here
rdp-fig1: ## Fig. 1: a segmented depth image
rdp-fig2: ## Fig. 2: accuracy and compression against eps
rdp-fig3: ## Fig. 3: refinement of one column, round by round
rdp-fig4: ## Fig. 4: recursion tree of one column
rdp-fig5: ## Fig. 5: rounds against eps
rdp-fig7: ## Fig. 7: share of useful computation per round
rdp-fig8: ## Fig. 8: noise, worst, typical and best case
rdp-fig9: ## Fig. 9: time against column height
rdp-fig10: ## Fig. 10: ranked times on CPU and GPU
rdp-cut: ## time against the number of multiprocessors in use
rdp-roofline: ## operations a second beneath the ceilings

$(addprefix rdp-,$(RDP_FIGURES)): rdp-%: $(B)/depthbench
	$(Q)B=$(B) PROFILE=$(PROFILE) scripts/figure rdp $*

$(filter-out cut roofline,$(RDP_FIGURES)): %: rdp-%
