# figures.mk - targets of the SOM mesh paper's tables and figures

SOM_FIGURES := fig2 fig4 fig8 fig9 fig10 fig11 fig12 fig13 fig14 fig15 table2 cut roofline
.PHONY: som $(addprefix som-,$(SOM_FIGURES))

som: $(addprefix som-,$(SOM_FIGURES)) ## tables and figures of the SOM mesh paper

som-table2: ## Table 2: times and %cost of the maps, also for equal work
som-fig2: ## Fig. 2: a map as points, its mesh in the plane and in space
som-fig4: ## Fig. 4: one data point pulls, at two strengths
som-fig8: ## Fig. 8: memory organisations
som-fig9: ## Fig. 9: threads per block
som-fig10: ## Fig. 10: one kernel a round or three
som-fig11: ## Fig. 11: search range and refresh rate
som-fig12: ## Fig. 12: %cost against rounds
som-fig13: ## Fig. 13: time against the size of the map
som-fig14: ## Fig. 14: sampling, mesh and surface
som-fig15: ## Fig. 15: regular and adapted mesh in space
som-cut: ## time against the number of multiprocessors in use
som-roofline: ## operations a second beneath the ceilings

$(addprefix som-,$(SOM_FIGURES)): som-%: $(B)/depthbench
	$(Q)B=$(B) PROFILE=$(PROFILE) scripts/figure som $*
